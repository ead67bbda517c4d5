"""Reads the pictures of Continuity's windows: ``tiles`` reads the board of tiles in a still picture, ``tracking``
follows the figure, the tiles and the keys from picture to picture. ``sight`` defines the results as plain data.

``board`` finds the tiles, ``walls`` separates wall from air in them, ``things`` finds the objects in the air.
"""
