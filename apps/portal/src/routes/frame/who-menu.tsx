import { Menu, useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { LanguagesIcon, LogOutIcon, MonitorIcon, MoonIcon, SunIcon } from 'lucide-react';
import { sentenceOf } from '../../api/problem.js';
import { leave, useCaller } from '../../api/session.js';
import { LANGUAGES, type Language } from '../../texts/language.js';
import { choose } from '../../texts/speak.js';
import { shownLanguage, t } from '../../texts/texts.js';
import { WhoButton } from './who-button.js';

const LOOKS = [
  { scheme: 'light', label: 'frame.light', Icon: SunIcon },
  { scheme: 'dark', label: 'frame.dark', Icon: MoonIcon },
  { scheme: 'auto', label: 'frame.asSystem', Icon: MonitorIcon },
] as const;

/** The look of the page, and the way out. It opens at once, because a click has asked for it. */
export function WhoMenu() {
  const caller = useCaller();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const logOut = useLogOut();
  return (
    <Menu position="bottom-end" width={200} defaultOpened>
      <Menu.Target>
        <WhoButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('frame.colours')}</Menu.Label>
        {LOOKS.map(({ scheme, label, Icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={() => setColorScheme(scheme)}
            aria-current={colorScheme === scheme}
            fw={colorScheme === scheme ? 600 : 400}
          >
            {t(label)}
          </Menu.Item>
        ))}
        {caller.link !== null && <Languages />}
        <Menu.Divider />
        <Menu.Item leftSection={<LogOutIcon size={16} aria-hidden />} onClick={logOut}>
          {t('frame.logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** For the pages of customers, which have texts in these languages. */
function Languages() {
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t('frame.language')}</Menu.Label>
      {Object.entries(LANGUAGES).map(([language, name]) => (
        <Menu.Item
          key={language}
          lang={language}
          leftSection={<LanguagesIcon size={16} aria-hidden />}
          onClick={() => void choose(language as Language)}
          aria-current={shownLanguage() === language}
          fw={shownLanguage() === language ? 600 : 400}
        >
          {name}
        </Menu.Item>
      ))}
    </>
  );
}

function useLogOut(): () => void {
  const navigate = useNavigate();
  return () => {
    leave()
      .then(() => navigate({ to: '/enter' }))
      .catch((error: unknown) => {
        notifications.show({ color: 'red', title: t('frame.stillLoggedIn'), message: sentenceOf(error) });
      });
  };
}
