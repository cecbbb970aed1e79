import { Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { may } from '../../api/caller.js';
import { useLiveUpdates } from '../../api/live.js';
import { useCaller } from '../../api/session.js';
import { ServiceDown } from '../../parts/service-down.js';
import { speakTo } from '../../texts/speak.js';
import { loadScreensAhead } from '../screen.js';
import { Brand } from './brand.js';
import { LinkFrame } from './link-frame.js';
import { Menu } from './menu.js';
import { SearchButton } from './search-button.js';
import { SeeingAs } from './seeing-as.js';
import { Shell } from './shell.js';
import { TranslatedScreen } from './translated-screen.js';
import { Who } from './who.js';

/** What surrounds every screen. A link has one domain only, so it gets neither menu nor search. */
export function Frame() {
  const caller = useCaller();
  const { link } = caller;
  // The partner may change its language while the page is open.
  useEffect(() => void speakTo(caller), [caller]);
  // A link to the DNS page leads to one screen only.
  useEffect(() => (link === 'dns' ? undefined : loadScreensAhead(caller)), [caller, link]);
  return (
    <>
      {may(caller, 'getEventsStream') && <Live />}
      {link === null ? <WholeFrame /> : <FrameOfLink />}
    </>
  );
}

/** For who gets events. */
function Live() {
  useLiveUpdates();
  return null;
}

function WholeFrame() {
  const [isMenuOpen, menu] = useDisclosure(false);
  const header = (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap">
      <Group gap="xs" wrap="nowrap">
        <Burger
          opened={isMenuOpen}
          onClick={menu.toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label="Menu"
          aria-expanded={isMenuOpen}
        />
        <Brand />
      </Group>
      <Group gap="xs" wrap="nowrap">
        <SearchButton />
        <Who />
      </Group>
    </Group>
  );
  return (
    <>
      <SkipToContent />
      <Shell header={header} menu={<Menu onNavigate={menu.close} />} isMenuOpen={isMenuOpen}>
        <Content />
      </Shell>
    </>
  );
}

function FrameOfLink() {
  return (
    <LinkFrame who={<Who />}>
      <Content />
    </LinkFrame>
  );
}

function Content() {
  return (
    <main id="content" className="portal-main" tabIndex={-1}>
      <ServiceDown />
      <SeeingAs />
      <TranslatedScreen>
        <Outlet />
      </TranslatedScreen>
    </main>
  );
}

function SkipToContent() {
  return (
    <a className="portal-skip" href="#content">
      Skip to the content
    </a>
  );
}
