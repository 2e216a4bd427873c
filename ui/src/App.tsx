import { lazy, Suspense, useEffect, useState, type ComponentType, type LazyExoticComponent } from 'react';
import { listen } from './api';
import { client, useOne } from './data';
import { ViewerDocument, type ViewerFieldsFragment } from './gql/generated';
import { Boundary } from './parts/Boundary';
import { Layout } from './parts/Layout';
import { Failure, Skeleton } from './parts/states';
import { Toasts } from './parts/Toasts';
import { usePlace } from './parts/usePlace';
import { ViewerContext } from './parts/viewer';
import { Overview } from './pages/Overview';
import { SignIn, SignInAgain } from './pages/SignIn';

// A page is fetched when somebody goes there.
const pages: Record<string, LazyExoticComponent<ComponentType>> = {
  inbox: lazy(() => import('./pages/Inbox')),
  campaigns: lazy(() => import('./pages/Campaigns')),
  prospects: lazy(() => import('./pages/Prospects')),
  companies: lazy(() => import('./pages/Companies')),
  offers: lazy(() => import('./pages/Offers')),
  mailboxes: lazy(() => import('./pages/Mailboxes')),
  suppressions: lazy(() => import('./pages/Suppressions')),
  settings: lazy(() => import('./pages/Settings')),
};
const NotFound = lazy(() => import('./pages/NotFound'));

export function App() {
  const { data, error, refetch } = useOne(ViewerDocument, {}, { live: 60_000 });
  const [viewer, setViewer] = useState<ViewerFieldsFragment | null>(null);
  const [ended, setEnded] = useState(false);
  useEffect(() => listen((event) => { if (event === 'signed-out') setEnded(true); }), []);
  useEffect(() => {
    if (data?.viewer) { setViewer(data.viewer); setEnded(false); }
    else if (data) setEnded(true);
  }, [data]);

  const signedIn = (next: ViewerFieldsFragment) => {
    if (viewer && (viewer.id !== next.id || viewer.workspaceId !== next.workspaceId)) { sessionStorage.clear(); location.reload(); return; }
    setViewer(next);
    setEnded(false);
    client.setQueryData(['one', 'Viewer', {}], { viewer: next });
    void client.invalidateQueries();
  };

  if (!viewer && data && !data.viewer) return <><SignIn onDone={signedIn} /><Toasts /></>;
  if (!viewer && error) return <main className="page alone"><Failure error={error} retry={() => void refetch()} what="Outreach does not answer." /></main>;
  if (!viewer) return <main className="page alone"><h1 className="offscreen">Outreach</h1><Skeleton kind="block" lines={3} /></main>;
  return (
    <ViewerContext value={viewer}>
      <Layout><Screen /></Layout>
      {ended && <SignInAgain email={viewer.email} onDone={signedIn} />}
      <Toasts />
    </ViewerContext>
  );
}

function Screen() {
  const { path } = usePlace();
  const name = path[0];
  const Chosen = name === undefined ? Overview : pages[name] ?? NotFound;
  return (
    <Boundary key={name ?? ''}>
      <Suspense fallback={<main className="page"><Skeleton lines={10} /></main>}><Chosen /></Suspense>
    </Boundary>
  );
}
