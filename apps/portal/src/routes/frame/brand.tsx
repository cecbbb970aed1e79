import { Group, Text } from '@mantine/core';
import icon from '../../icon.svg';

/** The service writes it into the page, which shows it before anybody has entered, too. */
function isDemo(): boolean {
  return document.documentElement.dataset.demo === 'true';
}

/** On every screen. */
export function Brand() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src={icon} alt="" width={22} height={22} />
      <Text fw={600}>Mailstead</Text>
      {isDemo() && <span className="portal-demo">Demo</span>}
    </Group>
  );
}
