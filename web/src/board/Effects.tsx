import type { CSSProperties } from "react";
import styles from "./board.module.css";
import { type Effect, WAVE_MS } from "./effect";
import { cornerOf, UNIT } from "./geometry";
import { Robot } from "./Robot";

/** What is seen to happen, over the board as it stands afterwards. */
export function Effects({ effect, flipped }: { effect: Effect; flipped: boolean }) {
  if (effect.kind === "move") {
    const from = cornerOf(effect.from, flipped);
    const to = cornerOf(effect.to, flipped);
    const way = { "--dx": `${from.x - to.x}px`, "--dy": `${from.y - to.y}px` } as CSSProperties;
    return (
      <g transform={`translate(${to.x} ${to.y})`}>
        <g className={styles.sliding} style={way}>
          <Robot {...effect.moved} />
        </g>
      </g>
    );
  }
  return effect.waves.map((wave, number) =>
    wave.map(({ square, stack }) => {
      const { x, y } = cornerOf(square, flipped);
      const delay = { animationDelay: `${number * WAVE_MS}ms` };
      return (
        <g key={square} transform={`translate(${x} ${y})`}>
          <g className={styles.dying} style={delay}>
            <Robot {...stack} />
          </g>
          <g transform={`translate(${UNIT / 2} ${UNIT / 2})`}>
            <circle className={styles.blast} style={delay} r="62" />
            <path className={styles.rays} style={delay} d={RAYS} />
          </g>
        </g>
      );
    }),
  );
}

const RAYS = Array.from({ length: 8 }, (_, ray) => {
  const [cos, sin] = [Math.cos((ray * Math.PI) / 4), Math.sin((ray * Math.PI) / 4)];
  return `M${(cos * 30).toFixed(1)} ${(sin * 30).toFixed(1)}L${(cos * 58).toFixed(1)} ${(sin * 58).toFixed(1)}`;
}).join("");
