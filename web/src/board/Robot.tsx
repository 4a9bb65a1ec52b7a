import { memo } from "react";
import type { Stack } from "../protocol";
import styles from "./robot.module.css";

interface Props extends Stack {
  /** How many of its bots, from the top, are about to go. */
  lifted?: number;
}

/**
 * A stack of robots in a square of 100 units: a segment for each bot, and a head on top. White has a
 * round head and round eyes, Black an angular one with horns and slits, so that hue is never needed.
 */
export const Robot = memo(function Robot({ team, stack, lifted = 0 }: Props) {
  const pitch = Math.min(10.5, 30 / stack);
  const top = FLOOR - stack * pitch;
  const segments = Array.from({ length: stack }, (_, place) => place);
  return (
    <g className={team === "white" ? styles.white : styles.black}>
      <g transform={SCALE}>
        <ellipse className={styles.shadow} cx="50" cy={FLOOR + 1} rx="33" ry="5" />
        {segments.map((place) => (
          <rect
            key={place}
            className={place >= stack - lifted ? styles.lifted : styles.segment}
            x="22"
            y={FLOOR - (place + 1) * pitch + 0.6}
            width="56"
            height={pitch - 1.2}
            rx={Math.min(4, pitch / 2)}
          />
        ))}
        <g transform={`translate(50 ${top})`}>{team === "white" ? <RoundHead /> : <AngularHead />}</g>
      </g>
      {stack > 1 && (
        <g className={styles.badge} transform="translate(82 80)">
          <circle r="15" />
          <text y="6.5">{stack}</text>
        </g>
      )}
    </g>
  );
});

function RoundHead() {
  return (
    <>
      <path className={styles.line} d="M0-34v-7" />
      <circle className={styles.spark} cy="-42" r="4.5" />
      <path className={styles.head} d="M-24 0v-15a24 21 0 0 1 48 0v15z" />
      <rect className={styles.visor} x="-18" y="-23" width="36" height="15" rx="7.5" />
      <circle className={styles.eye} cx="-8" cy="-15.5" r="4" />
      <circle className={styles.eye} cx="8" cy="-15.5" r="4" />
    </>
  );
}

function AngularHead() {
  return (
    <>
      <path className={styles.horn} d="M-20-29l-5-14 13 10zM20-29l5-14-13 10z" />
      <path className={styles.head} d="M-26 0v-22l8-11h36l8 11v22z" />
      <path className={styles.visor} d="M-20-25h40v14l-6 4h-28l-6-4z" />
      <path className={styles.eye} d="M-15-21l11 4.5v4l-11-3.5zM15-21l-11 4.5v4l11-3.5z" />
    </>
  );
}

const FLOOR = 90;
/** As large as a square allows, standing where it stands. */
const SCALE = `translate(50 ${FLOOR + 2}) scale(1.2) translate(-50 ${-FLOOR})`;
