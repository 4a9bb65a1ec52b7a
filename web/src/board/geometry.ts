/** A board of eight by eight squares, numbered row by row from a1: (x, y) is `8 * y + x`. */
export const SIDE = 8;
/** A square's side in the units of the drawing. */
export const UNIT = 100;

export const SQUARES: readonly number[] = Array.from({ length: SIDE * SIDE }, (_, square) => square);

export interface Spot {
  x: number;
  y: number;
}

export function pointOf(square: number): Spot {
  return { x: square % SIDE, y: Math.floor(square / SIDE) };
}

export function squareOf({ x, y }: Spot): number {
  return y * SIDE + x;
}

export function nameOf(square: number): string {
  const { x, y } = pointOf(square);
  return `${"abcdefgh"[x]}${y + 1}`;
}

/** The upper left corner of a square in the drawing. */
export function cornerOf(square: number, flipped: boolean): Spot {
  const { x, y } = pointOf(square);
  return flipped ? { x: (SIDE - 1 - x) * UNIT, y: y * UNIT } : { x: x * UNIT, y: (SIDE - 1 - y) * UNIT };
}

/** The square of the drawing under a point, in parts of the drawing's width and height. */
export function squareAt(across: number, down: number, flipped: boolean): number | null {
  const column = Math.floor(across * SIDE);
  const row = Math.floor(down * SIDE);
  if (column < 0 || column >= SIDE || row < 0 || row >= SIDE) return null;
  return flipped ? squareOf({ x: SIDE - 1 - column, y: row }) : squareOf({ x: column, y: SIDE - 1 - row });
}

/** The square one step away on the screen; the same one at the edge. */
export function neighbour(square: number, key: string, flipped: boolean): number {
  const turn = flipped ? -1 : 1;
  const { x, y } = pointOf(square);
  const steps: Record<string, Spot> = {
    ArrowLeft: { x: x - turn, y },
    ArrowRight: { x: x + turn, y },
    ArrowUp: { x, y: y + turn },
    ArrowDown: { x, y: y - turn },
  };
  const to = steps[key];
  const inside = to && to.x >= 0 && to.x < SIDE && to.y >= 0 && to.y < SIDE;
  return inside ? squareOf(to) : square;
}
