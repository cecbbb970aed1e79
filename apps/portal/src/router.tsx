import { createRouter } from '@tanstack/react-router';
import { queryClient } from './api/query-client.js';
import { whenEnded } from './api/session.js';
import { NotFound } from './parts/not-found.js';
import { Failing, Loading } from './parts/states.js';
import { routeTree } from './routes/tree.js';

export const router = createRouter({
  routeTree,
  basepath: '/portal',
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultPendingComponent: Loading,
  defaultErrorComponent: Failing,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

// A key that was revoked elsewhere leads to the door, which says why.
whenEnded((why) => {
  const to = router.state.location.pathname;
  void router.navigate({ to: '/enter', search: { why, to } });
});
