"""What a session sees in a window besides the board: boxes, controls, lists of levels, signs, words. Works on pixels
only; nothing is pressed here.
"""
