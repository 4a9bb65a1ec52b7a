import { type RefObject, useEffect, useRef } from "react";

/** Steps of the wheel over an element. React listens passively, and then the page would scroll as well. */
export function useWheel(element: RefObject<Element | null>, onWheel: ((steps: number) => void) | null) {
  const latest = useRef(onWheel);
  latest.current = onWheel;
  const isWanted = onWheel !== null;
  useEffect(() => {
    const target = element.current;
    if (!target || !isWanted) return;
    let turned = 0;
    const listener = (event: Event) => {
      const { deltaY, deltaMode } = event as WheelEvent;
      event.preventDefault();
      turned += deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY / STEP_PIXELS : deltaY;
      const steps = Math.trunc(turned);
      turned -= steps;
      if (steps) latest.current?.(-Math.sign(steps));
    };
    target.addEventListener("wheel", listener, { passive: false });
    return () => target.removeEventListener("wheel", listener);
  }, [element, isWanted]);
}

const STEP_PIXELS = 50;
