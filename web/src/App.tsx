import { lazy, Suspense, useEffect, useState } from "react";
import { Route, Switch, useLocation } from "wouter";
import { Failure } from "./parts/Failure";
import { Header } from "./parts/Header";
import { Help } from "./parts/Help";
import { Notices } from "./parts/Notices";
import { useKeys } from "./play/useKeys";
import { dispatch, useApp } from "./state/store";
import { text } from "./text/text";
import { ConnectView } from "./views/ConnectView";
import { GameView } from "./views/GameView";
import { LobbyView } from "./views/LobbyView";

// What is not needed to play is fetched when it is looked at.
const AnalysisView = lazy(() => import("./views/AnalysisView"));
const GamesView = lazy(() => import("./views/GamesView"));
const ReplayView = lazy(() => import("./views/ReplayView"));
const BuildsView = lazy(() => import("./views/BuildsView"));

export function App() {
  const [helps, setHelps] = useState(false);
  const [place, navigate] = useLocation();
  const arrived = useApp((state) => state.arrived);
  useKeys({ "?": () => setHelps((now) => !now) });

  useEffect(() => {
    if (arrived === null) return;
    dispatch({ type: "arrivedShown" });
    navigate(`/game/${arrived}`);
  }, [arrived, navigate]);

  return (
    <>
      <a className="visually-hidden" href="#content">
        {text.nav.skip}
      </a>
      <Header onHelp={() => setHelps(true)} />
      <main id="content" tabIndex={-1}>
        <Failure key={place}>
          <Suspense fallback={null}>
            <Switch>
              <Route path="/">
                <Named>
                  <LobbyView />
                </Named>
              </Route>
              <Route path="/game/:id">
                {({ id }) => (
                  <Named hint={text.connect.toWatch}>
                    <GameView key={id} id={Number(id)} />
                  </Named>
                )}
              </Route>
              <Route path="/analysis" component={AnalysisView} />
              <Route path="/games" component={GamesView} />
              <Route path="/games/:id">{({ id }) => <ReplayView key={id} id={Number(id)} />}</Route>
              <Route path="/builds" component={BuildsView} />
              <Route>
                <p className="muted">{text.notFound}</p>
              </Route>
            </Switch>
          </Suspense>
        </Failure>
      </main>
      <Notices />
      <Help isOpen={helps} onClose={() => setHelps(false)} />
    </>
  );
}

/** What needs a name: without one it is asked for first. */
function Named({ children, hint }: { children: React.ReactNode; hint?: string }) {
  const known = useApp((state) => state.me !== null);
  const phase = useApp((state) => state.connection.phase);
  if (known) return children;
  return phase === "idle" ? <ConnectView hint={hint} /> : null;
}
