"""Playable windows of the games, a program of its own: ``python -m autoplayer.arcade GAME``.

People enjoy it and tests play against it; its log says what happened. It knows the models of the games
(``games/X/puzzle``) and nothing else of the bot; nothing imports it. Shared by all games: the options, the level
files, the log, the pointer and its roughness, the match, the themes, the glyphs, the stage and the two window loops:
``window`` for games that wait for the person, ``live_window`` for those that go on by themselves. A game adds its
rules of play and its painter in a folder of its own.
"""

import os

# Before pygame is first imported, by whichever room.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
# A plain window drawn by the processor: no graphics card is needed, and none is woken.
os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
os.environ.setdefault("SDL_VIDEO_ALLOW_SCREENSAVER", "1")
os.environ.setdefault("SDL_VIDEO_X11_WMCLASS", "autoplayer-arcade")
