import { createRouter } from '@tanstack/react-router';
import { queryClient } from './api/query-client.js';
import { NotFound } from './parts/not-found.js';
import { Failing, Loading } from './parts/states.js';
import { whileGoing } from './routes/screen.js';
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

// A script that is loaded ahead may be missing.
whileGoing(() => router.state.status === 'pending');
