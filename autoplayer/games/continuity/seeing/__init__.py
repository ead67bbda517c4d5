"""What Continuity's windows show: ``tiles`` reads the board of tiles in a still picture, ``tracking`` follows the
figure, the tiles and the keys from picture to picture. ``sight`` is what is seen, as plain data.

``board`` finds the tiles, ``walls`` what is wall and what is air in them, ``things`` what stands in the air.
"""
