import styles from "./board.module.css";
import { cornerOf, UNIT } from "./geometry";

/** Points out an action: an arrow, or a ring where the source is also the target. */
export function Hint({ from, to, flipped }: { from: number; to: number; flipped: boolean }) {
  const [start, end] = [from, to].map((square) => {
    const { x, y } = cornerOf(square, flipped);
    return { x: x + UNIT / 2, y: y + UNIT / 2 };
  }) as [{ x: number; y: number }, { x: number; y: number }];
  if (from === to) return <circle className={styles.hint} cx={start.x} cy={start.y} r="44" />;
  const angle = Math.atan2(end.y - start.y, end.x - start.x);
  const wing = (turn: number) =>
    `${end.x - 30 * Math.cos(angle + turn)} ${end.y - 30 * Math.sin(angle + turn)}`;
  return (
    <path
      className={styles.hint}
      d={`M${start.x} ${start.y}L${end.x} ${end.y}M${wing(0.6)}L${end.x} ${end.y}L${wing(-0.6)}`}
    />
  );
}
