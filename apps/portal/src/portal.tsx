import { MantineProvider } from '@mantine/core';
import { useNotifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { queryClient } from './api/query-client.js';
import { loadAgain } from './load-again.js';
import { router } from './router.js';
import { EndedSession } from './routes/enter/ended-session.js';
import { ahead } from './routes/screen.js';
import { t, useLanguage } from './texts/texts.js';
import { accessibleColors, styleNonce, themeWith } from './theme.js';

const loadNotices = ahead(() => import('./parts/notices.js'));
/** Comes with the first notice, or ahead of it. */
const Notices = lazy(async () => ({ default: (await loadAgain(loadNotices)).Notices }));

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
      <NoticesWhenNeeded />
      <QueryClientProvider client={queryClient}>
        <EndedSession>
          <RouterProvider router={router} />
        </EndedSession>
      </QueryClientProvider>
    </MantineProvider>
  );
}

function NoticesWhenNeeded() {
  const { notifications, queue } = useNotifications();
  const [isNeeded, setIsNeeded] = useState(false);
  if (!isNeeded && notifications.length + queue.length > 0) setIsNeeded(true);
  return <Suspense>{isNeeded && <Notices />}</Suspense>;
}
