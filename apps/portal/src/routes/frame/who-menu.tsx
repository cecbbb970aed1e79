import { Menu, useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { sentenceOf } from '../../api/problem.js';
import { leave } from '../../api/session.js';
import { WhoButton } from './who-button.js';

const LOOKS = [
  { scheme: 'light', label: 'Light', Icon: IconSun },
  { scheme: 'dark', label: 'Dark', Icon: IconMoon },
  { scheme: 'auto', label: 'Same as the system', Icon: IconDeviceDesktop },
] as const;

/** The look of the page, and the way out. It opens at once, because a click has asked for it. */
export function WhoMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const logOut = useLogOut();
  return (
    <Menu position="bottom-end" width={200} defaultOpened>
      <Menu.Target>
        <WhoButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Colours</Menu.Label>
        {LOOKS.map(({ scheme, label, Icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={() => setColorScheme(scheme)}
            aria-current={colorScheme === scheme}
            fw={colorScheme === scheme ? 600 : 400}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={logOut}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useLogOut(): () => void {
  const navigate = useNavigate();
  return () => {
    leave()
      .then(() => navigate({ to: '/enter' }))
      .catch((error: unknown) => {
        notifications.show({ color: 'red', title: 'Still logged in', message: sentenceOf(error) });
      });
  };
}
