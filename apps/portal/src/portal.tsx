import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { queryClient } from './api/query-client.js';
import { loadAgain } from './load-again.js';
import { router } from './router.js';
import { EndedSession } from './routes/enter/ended-session.js';
import { t, useLanguage } from './texts/texts.js';
import { accessibleColors, styleNonce, themeWith } from './theme.js';

/** Comes after the first screen; what is said before it waits. */
const Notices = lazy(async () => ({ default: (await loadAgain(() => import('./parts/notices.js'))).Notices }));

/** The whole page: its look, its data and its addresses. */
export function Portal() {
  const language = useLanguage();
  const theme = useMemo(() => themeWith(t('page.close')), [language]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={accessibleColors}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <Suspense>
        <Notices />
      </Suspense>
      <QueryClientProvider client={queryClient}>
        <EndedSession>
          <RouterProvider router={router} />
        </EndedSession>
      </QueryClientProvider>
    </MantineProvider>
  );
}
