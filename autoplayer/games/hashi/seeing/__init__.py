"""What a picture of Hashi shows: ``places`` finds the islands and their numbers, ``between`` the bridges between them,
``refusals`` says what is no board. ``between`` builds on ``places``, never the other way.
"""
