import { type PointerEvent, type RefObject, useRef, useState } from "react";
import { SIDE, squareAt, UNIT } from "./geometry";
import type { BoardProps } from "./SquareBoard";

interface Press {
  pointer: number;
  square: number;
  x: number;
  y: number;
  /** Whether pressing has selected the square, so that letting go does not do it again. */
  hasPicked: boolean;
  isDrag: boolean;
}

/** Clicks, drags and touches, as picks and drops of squares. */
export function useDrag(svg: RefObject<SVGSVGElement | null>, props: BoardProps) {
  const press = useRef<Press | null>(null);
  const [carried, setCarried] = useState<{ from: number; x: number; y: number } | null>(null);
  const [over, setOver] = useState<number | null>(null);

  // The drawing may have been scrolled, zoomed or resized since the last event.
  const locate = (event: PointerEvent) => {
    const bounds = svg.current!.getBoundingClientRect();
    const across = (event.clientX - bounds.left) / bounds.width;
    const down = (event.clientY - bounds.top) / bounds.height;
    const units = SIDE * UNIT;
    return { square: squareAt(across, down, props.flipped), x: across * units, y: down * units };
  };
  const letGo = () => {
    press.current = null;
    setCarried(null);
    setOver(null);
  };

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const { square } = locate(event);
    if (square === null) return;
    const canDrag = props.movable.has(square) && !props.targets.has(square);
    const hasPicked = canDrag && props.selected !== square;
    press.current = {
      pointer: event.pointerId,
      square,
      x: event.clientX,
      y: event.clientY,
      hasPicked,
      isDrag: false,
    };
    if (hasPicked) props.onPick(square);
  };
  const onPointerMove = (event: PointerEvent) => {
    const at = press.current;
    if (!at || at.pointer !== event.pointerId || !props.movable.has(at.square)) return;
    if (!at.isDrag && Math.hypot(event.clientX - at.x, event.clientY - at.y) < THRESHOLD) return;
    if (!at.isDrag) {
      at.isDrag = true;
      svg.current?.setPointerCapture(event.pointerId);
      // A stack that was a target of another one is carried all the same.
      if (!at.hasPicked && props.selected !== at.square) {
        props.onCancel();
        props.onPick(at.square);
      }
    }
    const { square, x, y } = locate(event);
    setCarried({ from: at.square, x, y });
    setOver(square);
  };
  const onPointerUp = (event: PointerEvent) => {
    const at = press.current;
    if (!at || at.pointer !== event.pointerId) return;
    const { square } = locate(event);
    letGo();
    if (at.isDrag) {
      if (square !== null && square !== at.square) props.onDrop(at.square, square);
    } else if (!at.hasPicked && square === at.square) props.onPick(square);
  };
  return {
    carried,
    over,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: letGo },
  };
}

const THRESHOLD = 5;
