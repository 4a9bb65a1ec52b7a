import { useEffect } from "react";
import type { Notice } from "../state/model";
import { dispatch, useApp } from "../state/store";
import { text } from "../text/text";
import styles from "./notices.module.css";

/** What was refused, and other short news; it goes by itself. */
export function Notices() {
  const notices = useApp((state) => state.notices);
  return (
    <div className={styles.notices} role="status">
      {notices.map((notice) => (
        <Shown key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function Shown({ notice }: { notice: Notice }) {
  const { id, code, message } = notice;
  useEffect(() => {
    const timer = setTimeout(() => dispatch({ type: "noticeRead", id }), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return <p className={styles.notice}>{code === "challengeEnded" ? text.lobby.declined : message}</p>;
}

const SHOWN_MS = 6000;
