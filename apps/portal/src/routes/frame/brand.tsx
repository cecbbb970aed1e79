import { Group, Text } from '@mantine/core';
import icon from '../../icon.svg';

/** The service writes it into the page, which shows it before anybody has entered, too. */
function isDemo(): boolean {
  return document.documentElement.dataset.demo === 'true';
}

/** Says on every screen of a demo that it is one. */
export function DemoMark() {
  return isDemo() && <span className="portal-demo">Demo</span>;
}

/** On every screen of partners and operators. */
export function Brand() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src={icon} alt="" width={22} height={22} />
      <Text fw={600}>Mailstead</Text>
      <DemoMark />
    </Group>
  );
}
