"""Playable windows of the games, a program of its own: ``python -m autoplayer.arcade GAME``.

People enjoy it and tests play against it; its log says what happened. It knows the models of the games
(``games/X/puzzle``) and nothing else of the bot; nothing imports it. Shared by all games: the options, the level
files, the log, the pointer and its roughness, the match, the themes, the glyphs, the stage and the window loop. A
game adds its rules of play and its painter in a folder of its own.
"""
