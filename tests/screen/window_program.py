"""A window of its own process that writes down what reaches it: one JSON object a line on standard output.

Commands, one a line on standard input: ``fill COLOUR X Y W H``, ``blink COLOUR X Y W H SECONDS`` (two colours in turn,
for ever), ``sync`` (answers once everything before is on the screen), ``grow W H``, ``move X Y``, ``hide``, ``show``,
``raise``, ``shadow`` (says that 20 pixels around its content are a shadow, as GTK does), ``unfold X Y W H`` (a menu,
in a window of its own at that place of the screen).
"""

from __future__ import annotations

import json
import os
import select
import sys
import time

from Xlib import XK, X, Xatom, display


def main() -> None:
    title, x, y, width, height, colour, override = sys.argv[1:8]
    connection = display.Display()
    screen = connection.screen()
    pixel = int(colour, 16)
    window = screen.root.create_window(
        int(x),
        int(y),
        int(width),
        int(height),
        0,
        screen.root_depth,
        X.InputOutput,
        X.CopyFromParent,
        background_pixel=pixel,
        override_redirect=override == "popup",
        event_mask=X.ExposureMask
        | X.ButtonPressMask
        | X.ButtonReleaseMask
        | X.PointerMotionMask
        | X.KeyPressMask
        | X.KeyReleaseMask,
    )
    window.set_wm_name(title.encode("ascii", "replace").decode())
    utf8 = connection.intern_atom("UTF8_STRING")
    window.change_property(connection.intern_atom("_NET_WM_NAME"), utf8, 8, title.encode())
    window.set_wm_protocols([connection.intern_atom("WM_DELETE_WINDOW")])
    if override.startswith("dialog "):
        window.set_wm_transient_for(connection.create_resource_object("window", int(override.split()[1])))
    # Says where it wants to be, as a program whose place was given on its command line does.
    window.set_wm_normal_hints(flags=1 | 4, min_width=1, min_height=1)
    pen = window.create_gc(foreground=pixel)
    painted: list[tuple[int, ...]] = []
    blinking: list[tuple[int, list[int], float]] = []

    def say(**data: object) -> None:
        sys.stdout.write(json.dumps(data) + "\n")
        sys.stdout.flush()

    def paint(value: int, *box: int) -> None:
        pen.change(foreground=value)
        window.fill_rectangle(pen, *box)

    window.map()
    connection.sync()
    say(event="window", id=window.id)
    buffer = ""
    pressed = 0
    while True:
        while connection.pending_events():
            event = connection.next_event()
            if event.type == X.Expose:
                for entry in painted:
                    paint(*entry)
                say(event="expose")
            elif event.type in (X.ButtonPress, X.ButtonRelease):
                pressed += 1 if event.type == X.ButtonPress else -1
                name = "press" if event.type == X.ButtonPress else "release"
                say(event=name, button=event.detail, at=[event.event_x, event.event_y], time=event.time)
            elif event.type == X.MotionNotify:
                say(event="motion", at=[event.event_x, event.event_y], down=pressed > 0, time=event.time)
            elif event.type in (X.KeyPress, X.KeyRelease):
                keysym = connection.keycode_to_keysym(event.detail, 1 if event.state & X.ShiftMask else 0)
                keysym = keysym or connection.keycode_to_keysym(event.detail, 0)
                name = "key down" if event.type == X.KeyPress else "key up"
                say(event=name, key=names.get(keysym, str(keysym)))
            elif event.type == X.ClientMessage:
                return
        for number, (one, box, seconds) in enumerate(blinking):
            phase = int(time.monotonic() / seconds) % 2
            if phase != phases.get(number):
                phases[number] = phase
                paint(pixel if phase else one, *box)
        connection.flush()
        ready, _, _ = select.select([sys.stdin, connection], [], [], 0.005 if blinking else 0.5)
        if sys.stdin not in ready:
            continue
        part = os.read(sys.stdin.fileno(), 65536)
        if not part:
            return
        *lines, buffer = (buffer + part.decode()).split("\n")
        for line in lines:
            command, *rest = line.split()
            if command == "fill":
                box = [int(n) for n in rest[1:]]
                painted.append((int(rest[0], 16), *box))
                paint(int(rest[0], 16), *box)
            elif command == "blink":
                blinking.append((int(rest[0], 16), [int(n) for n in rest[1:5]], float(rest[5])))
            elif command == "grow":
                window.configure(width=int(rest[0]), height=int(rest[1]))
            elif command == "move":
                window.configure(x=int(rest[0]), y=int(rest[1]))
            elif command == "hide":
                window.unmap()
            elif command == "show":
                window.map()
            elif command == "raise":
                window.configure(stack_mode=X.Above)
            elif command == "shadow":
                atom = connection.intern_atom("_GTK_FRAME_EXTENTS")
                window.change_property(atom, Xatom.CARDINAL, 32, [20, 20, 20, 20])
            elif command == "unfold":
                place = [int(n) for n in rest]
                menu = screen.root.create_window(*place, 0, screen.root_depth, override_redirect=True)
                menu.map()
            connection.sync()
            if command in ("sync", "unfold"):
                say(event={"sync": "synced", "unfold": "unfolded"}[command])


names = {getattr(XK, name): name[3:] for name in reversed(dir(XK)) if name.startswith("XK_")}
phases: dict[int, int] = {}

if __name__ == "__main__":
    main()
