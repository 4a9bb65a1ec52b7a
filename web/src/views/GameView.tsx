import { useEffect, useState } from "react";
import { Redirect } from "wouter";
import { useFetched } from "../parts/useFetched";
import { watch } from "../state/client";
import { useApp, useRoom } from "../state/store";
import { text } from "../text/text";
import { GameTable } from "./GameTable";

/** A game that goes on, or has just ended; one that ended long ago is replayed instead. */
export function GameView({ id }: { id: number }) {
  const room = useRoom(id);
  const isOnline = useApp((state) => state.connection.phase === "online");
  const isHere = room !== undefined;
  const record = useFetched<unknown>(isHere ? null : `/api/games/${id}`);
  const [isLate, setIsLate] = useState(false);

  useEffect(() => {
    if (isOnline && !isHere) watch(id);
  }, [id, isOnline, isHere]);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);

  if (room) return <GameTable room={room} />;
  if (record.state === "here") return <Redirect to={`/games/${id}`} replace />;
  const isMissing = isLate && isOnline && record.state === "failed";
  return (
    <p className="muted" role="status">
      {isMissing ? text.game.missing : text.game.loading}
    </p>
  );
}

const PATIENCE_MS = 1500;
