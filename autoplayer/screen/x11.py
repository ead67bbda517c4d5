"""The windows of an X server, through EWMH. Works with and without a window manager."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from autoplayer.core.errors import MachineError, StoppedError
from autoplayer.core.frame import Box, Point
from autoplayer.screen.windows import Window
from autoplayer.screen.xconnection import XConnection, connected

SEARCH_DEPTH = 3
"""The depth inside a window manager's frames to which a client window is searched for."""

HELD_WITHIN = 2.0
"""Seconds within which another program is expected to release its grab of the pointer."""

FOCUS_TRIES = 3
"""How often the focused window is asked for, if it closes before it can be examined."""


class X11(XConnection):
    """The windows of an X display."""

    name = "X11"

    # Windows

    @connected
    def windows(self) -> list[Window]:
        found = (self.window(window_id) for window_id in self.client_ids())
        return [window for window in found if window is not None and window.title]

    @connected
    def window(self, window_id: int) -> Window | None:
        resource = self._resource(window_id)
        title, pid, area = self.title(window_id), self._number(resource, "_NET_WM_PID"), self.area(window_id)
        # Asked last: a window that closed meanwhile would seem to have no title.
        try:
            geometry = resource.get_geometry()
            corner = self.root.translate_coords(resource, 0, 0)
        except self._error.XError:
            return None
        place = area or Box(corner.x, corner.y, geometry.width, geometry.height)
        return Window(window_id, title, place, area is not None, pid)

    @connected
    def area(self, window_id: int) -> Box | None:
        resource = self._resource(window_id)
        try:
            if resource.get_attributes().map_state != self._x.IsViewable:
                return None
            if self._atom("_NET_WM_STATE_HIDDEN") in self._numbers(resource, "_NET_WM_STATE"):
                return None
            # Asked first: a window that closed meanwhile would seem to have no shadow, and so another size.
            left, right, top, bottom = self._margin(resource)
            geometry = resource.get_geometry()
            corner = self.root.translate_coords(resource, 0, 0)
        except self._error.XError:
            return None
        width, height = geometry.width - left - right, geometry.height - top - bottom
        if width < 1 or height < 1:
            return None
        return Box(corner.x + left, corner.y + top, width, height)

    @connected
    def title(self, window_id: int) -> str:
        """The window's title; empty where it has none."""
        resource = self._resource(window_id)
        for name, encoding in (("_NET_WM_NAME", "utf-8"), ("WM_NAME", None)):
            try:
                value = resource.get_full_property(self._atom(name), self._x.AnyPropertyType)
            except self._error.XError:
                return ""
            if value is None or not value.value:
                continue
            raw = value.value
            if isinstance(raw, str):
                return raw.strip()
            utf8 = encoding or ("utf-8" if value.property_type == self._atom("UTF8_STRING") else "latin-1")
            return bytes(raw).decode(utf8, "replace").split("\0")[0].strip()
        return ""

    @connected
    def client_ids(self) -> list[int]:
        """The application windows, including those without a title, the topmost first."""
        for name in ("_NET_CLIENT_LIST_STACKING", "_NET_CLIENT_LIST"):
            if self.has_window_manager() and (ids := self._numbers(self.root, name)):
                return list(reversed(ids))
        return [client for child in reversed(self._children(self.root)) for client in self._clients_in(child)]

    @connected
    def dialogs(self, window_id: int) -> list[int]:
        """The visible dialogs that belong to this window; the topmost first."""
        own = {window_id}
        found: list[int] = []
        waiting = self.client_ids()
        while belonging := [
            each for each in waiting if self._number(self._resource(each), "WM_TRANSIENT_FOR") in own - {None, 0}
        ]:
            own.update(belonging)  # a dialog may have dialogs of its own
            found += belonging
            waiting = [each for each in waiting if each not in own]
        return [each for each in found if self.area(each) is not None]

    @connected
    def popups(self, window_id: int) -> list[int]:
        """The menus and lists that this window's program has opened over it as separate windows; the topmost first. All
        windows of a program share the base of their ids."""
        area = self.area(window_id)
        if area is None:
            return []
        mask = self.display.display.info.resource_id_mask
        own = [
            found for found, _, pressed in self._above(window_id, area) if pressed and not (found ^ window_id) & ~mask
        ]
        return [found for found in own if self._unmanaged(self._resource(found))]

    def _unmanaged(self, resource: Any) -> bool:
        try:
            return bool(resource.get_attributes().override_redirect)
        except self._error.XError:
            return False

    def _clients_in(self, child: Any) -> Iterator[int]:
        """The clients inside a child of the root: what a window manager has marked, else the child itself."""
        marked = self._marked(child, SEARCH_DEPTH)
        if marked:
            yield from marked
            return
        try:
            attributes = child.get_attributes()
        except self._error.XError:
            return
        if attributes.win_class == self._x.InputOutput and not attributes.override_redirect:
            yield child.id

    def _marked(self, resource: Any, depth: int) -> list[int]:
        try:
            if resource.get_full_property(self._atom("WM_STATE"), self._x.AnyPropertyType) is not None:
                return [resource.id]
        except self._error.XError:
            return []
        if depth == 0:
            return []
        return [found for child in self._children(resource) for found in self._marked(child, depth - 1)]

    @connected
    def has_window_manager(self) -> bool:
        return bool(self.window_manager())

    @connected
    def window_manager(self) -> str:
        """The window manager's name; ``unnamed`` where it has none; empty where there is no (EWMH) window manager."""
        owner = self._number(self.root, "_NET_SUPPORTING_WM_CHECK")
        if not owner:
            return ""
        # The property stays on the root window when its owner dies: only a living window that names itself counts.
        if self._number(self._resource(owner), "_NET_SUPPORTING_WM_CHECK") != owner:
            return ""
        return self.title(owner) or "unnamed"

    # What is on top

    @connected
    def covering(self, window_id: int, at: Point) -> str | None:
        path = self._path_at(at)
        if window_id in path or (not path and not window_id):
            return None
        if not path:
            return "the bare desktop (the window is not there)"
        return self._called(path)

    def _called(self, path: list[int]) -> str:
        """A name for the window that consists of these, from the child of the root inwards."""
        for found in path:
            if title := self.title(found):
                return f"the window {title!r}"
        inside = (client for found in path for client in self._marked(self._resource(found), SEARCH_DEPTH))
        for found in inside:
            if title := self.title(found):
                return f"the window {title!r}"
        return f"a window without a title (id {path[0]:#x})"

    @connected
    def window_at(self, at: Point) -> Window | None:
        path = self._path_at(at)
        if not path:
            return None
        clients = self._marked(self._resource(path[0]), SEARCH_DEPTH)
        return self.window(clients[0] if clients else path[0])

    @connected
    def over(self, window_id: int, box: Box) -> str | None:
        """The name of a window that hides a part of ``box`` (screen pixels) of this window; None where none does.
        Windows that let presses through (overlays of compositors) and transparent ones do not count."""
        return next((name for name, _ in self.covers(window_id, box)), None)

    @connected
    def covers(self, window_id: int, box: Box) -> list[tuple[str, Box]]:
        """The names of all such windows, the topmost first, each with the part of ``box`` that it hides."""
        return [(self._called([found]), part) for found, part, pressed in self._above(window_id, box) if pressed]

    @connected
    def hidden(self, window_id: int, box: Box) -> list[Box]:
        """The parts of ``box`` of this window, all in screen pixels, that other windows hide; including windows that
        let presses through (a message that fades), except for one over the whole screen, in which a compositor
        draws."""
        whole = self.bounds()
        return [
            part
            for found, part, pressed in self._above(window_id, box)
            if pressed or self._box(self._resource(found)) != whole
        ]

    def _box(self, resource: Any) -> Box | None:
        """A child of the root with its border, in screen pixels; None where it is gone."""
        try:
            at = resource.get_geometry()
        except self._error.XError:
            return None
        return Box(at.x, at.y, at.width + 2 * at.border_width, at.height + 2 * at.border_width)

    def _above(self, window_id: int, box: Box) -> Iterator[tuple[int, Box, bool]]:
        """The visible windows above this one that overlap ``box``, the topmost first: the id, the overlap, and whether
        a press in the middle of the overlap reaches it."""
        child = self._resource(window_id)
        try:
            while (parent := child.query_tree().parent) and parent.id != self.root.id:
                child = parent
            siblings = self._children(self.root)
            above = [each.id for each in siblings].index(child.id) + 1
        except (self._error.XError, ValueError):
            return
        for other in reversed(siblings[above:]):
            try:
                attributes = other.get_attributes()
                if attributes.map_state != self._x.IsViewable or attributes.win_class != self._x.InputOutput:
                    continue
                at = other.get_geometry()
                left, top = max(box.x, at.x), max(box.y, at.y)
                right = min(box.x + box.width, at.x + at.width + 2 * at.border_width)
                bottom = min(box.y + box.height, at.y + at.height + 2 * at.border_width)
                if left >= right or top >= bottom:
                    continue
                middle = (left + right) // 2 - at.x - at.border_width, (top + bottom) // 2 - at.y - at.border_width
                yield other.id, Box(left, top, right - left, bottom - top), self._takes_input(other, middle)
            except self._error.XError:
                continue  # gone meanwhile

    def _path_at(self, at: Point) -> list[int]:
        """The topmost windows at a point, from the child of the root inwards; empty for the bare desktop."""
        answer = self.root.query_pointer()
        if (answer.root_x, answer.root_y) != at:
            return self._walk_at(self.root, at, at)
        # With the pointer at the point the server itself tells which window gets a press there, input shapes included.
        path: list[int] = []
        while answer.child:
            path.append(answer.child.id)
            try:
                answer = answer.child.query_pointer()
            except self._error.XError:
                break
        return path

    def _walk_at(self, parent: Any, inside: Point, at: Point) -> list[int]:
        for child in reversed(self._children(parent)):
            try:
                if child.get_attributes().map_state != self._x.IsViewable:
                    continue
                box = child.get_geometry()
                border = box.border_width
                x, y = inside[0] - box.x - border, inside[1] - box.y - border
                if not (-border <= x < box.width + border and -border <= y < box.height + border):
                    continue
                if not self._takes_input(child, (x, y)):
                    continue
            except self._error.XError:
                continue
            return [child.id, *self._walk_at(child, (x, y), at)]
        return []

    def _takes_input(self, resource: Any, inside: Point) -> bool:
        """Whether the window's input shape contains the point (overlays of compositors let presses through)."""
        if not self.display.has_extension("SHAPE"):
            return True
        from Xlib.ext import shape

        rectangles = resource.shape_get_rectangles(shape.SK.Input).rectangles
        return any(Box(r.x, r.y, r.width, r.height).contains(inside) for r in rectangles)

    # Focus

    @connected
    def activate(self, window_id: int) -> None:
        from Xlib.protocol import event

        resource = self._resource(window_id)
        if self.has_window_manager():
            message = event.ClientMessage(
                window=resource,
                client_type=self._atom("_NET_ACTIVE_WINDOW"),
                data=(32, [2, self._x.CurrentTime, 0, 0, 0]),  # 2: asked for by the person, as a pager does
            )
            mask = self._x.SubstructureRedirectMask | self._x.SubstructureNotifyMask
            self.root.send_event(message, event_mask=mask)
        else:
            resource.configure(stack_mode=self._x.Above)
            if self.area(window_id) is not None:
                resource.set_input_focus(self._x.RevertToParent, self._x.CurrentTime)
        self.display.sync()

    @connected
    def has_focus(self, window_id: int) -> bool:
        # A window that had the focus and closed meanwhile tells nothing about the one that has it now.
        for _ in range(FOCUS_TRIES):
            with suppress(self._error.XError):
                return self._has_focus(window_id)
        return False

    def _has_focus(self, window_id: int) -> bool:
        focus = self.display.get_input_focus().focus
        if isinstance(focus, int):
            # No window has the focus: keys go nowhere, or to the window under the pointer.
            if focus == self._x.NONE:
                return False
            answer = self.root.query_pointer()
            return window_id in self._path_at((answer.root_x, answer.root_y))
        while focus.id != self.root.id:
            if focus.id == window_id:
                return True
            parent = focus.query_tree().parent
            if not parent:
                return False
            focus = parent
        return False

    # Screen

    @connected
    def monitors(self) -> list[Box]:
        if self.display.has_extension("RANDR"):
            try:
                found = self.root.xrandr_get_monitors().monitors
            except (self._error.XError, AttributeError):
                found = []  # a server older than RandR 1.5
            boxes = [Box(m.x, m.y, m.width_in_pixels, m.height_in_pixels) for m in found]
            if boxes:
                return boxes
        return [self.bounds()]

    @connected
    def bounds(self) -> Box:
        size = self.root.get_geometry()
        return Box(0, 0, size.width, size.height)

    @connected
    def text_scale(self) -> float | None:
        """The desktop's text scaling, where 1 is usual (96 dots an inch); None where it is not set."""
        value = self.root.get_full_property(self._atom("RESOURCE_MANAGER"), self._x.AnyPropertyType)
        resources = bytes(value.value).decode("latin-1") if value is not None and value.format == 8 else ""
        dots = re.search(r"^Xft\.dpi:\s*(\d{2,4}(?:\.\d+)?)\s*$", resources, re.MULTILINE)
        return float(dots[1]) / 96 if dots else None

    def pick(self, limit: float = 60.0) -> Window:
        return self.pick_at(limit)[0]

    def pick_at(self, limit: float = 60.0) -> tuple[Window, Point]:
        X = self._x  # noqa: N806 - the library's own name
        pressed: Any = None
        try:
            self._hold_pointer()
            end = time.monotonic() + limit
            while True:
                event = self._event()
                if event is None:
                    if time.monotonic() > end:
                        raise StoppedError(f"No window was clicked within {limit:g} seconds.")
                    time.sleep(0.02)
                elif event.type == X.ButtonPress and pressed is None:
                    pressed = event
                elif event.type == X.ButtonRelease and pressed is not None:
                    break
        finally:
            self._let_go_of_pointer()
        if pressed.detail != X.Button1:
            raise StoppedError("The choice of a window was cancelled with another mouse button than the left one.")
        at = pressed.root_x, pressed.root_y
        window = self.window_at(at)
        if window is None:
            raise StoppedError("The click hit the bare desktop, not a window.")
        return window, at

    def _hold_pointer(self) -> None:
        """Grab the pointer: from now on all presses come here. Another program may have grabbed it for a moment, as
        window managers do for each press; raises MachineError where it keeps it for longer."""
        end = time.monotonic() + HELD_WITHIN
        while True:
            late = time.monotonic() > end
            if self._take_pointer():
                return
            if late:
                raise MachineError(
                    "The pointer is held by another program: close its menu, then pick the window again."
                )
            time.sleep(0.02)

    @connected
    def _take_pointer(self) -> bool:
        X = self._x  # noqa: N806 - the library's own name
        mask = X.ButtonPressMask | X.ButtonReleaseMask
        modes = X.GrabModeAsync, X.GrabModeAsync
        return not self.root.grab_pointer(False, mask, *modes, X.NONE, X.NONE, X.CurrentTime)

    @connected
    def _let_go_of_pointer(self) -> None:
        self.display.ungrab_pointer(self._x.CurrentTime)
        self.display.sync()

    @connected
    def _event(self) -> Any:
        """The next event; None where there is none."""
        return self.display.next_event() if self.display.pending_events() else None
