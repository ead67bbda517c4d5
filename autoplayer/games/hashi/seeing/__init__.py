"""Recognises what a picture of Hashi shows: ``places`` finds the islands and their numbers, ``between`` the bridges
between them, ``refusals`` decides what is not a board. ``between`` builds on ``places``, never the other way."""
