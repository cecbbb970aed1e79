import { Group, Text } from '@mantine/core';
import icon from '../../icon.svg';

export function Brand() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src={icon} alt="" width={22} height={22} />
      <Text fw={600}>Mailstead</Text>
    </Group>
  );
}
