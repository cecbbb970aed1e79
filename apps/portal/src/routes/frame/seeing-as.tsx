import { Alert, Group, Text } from '@mantine/core';
import { EyeIcon } from 'lucide-react';
import { TextLink } from '../../parts/links.js';
import { useView } from './view.js';

/** Reminds an operator of whose things are on the screen. */
export function SeeingAs() {
  const { partnerRef } = useView();
  if (partnerRef === undefined) return null;
  return (
    <Alert variant="default" icon={<EyeIcon aria-hidden />} mb="md">
      <Group justify="space-between">
        <Text size="sm">You see what {partnerRef} sees. Nothing can be changed here.</Text>
        <TextLink to="/operator/partners" search={{ as: undefined }} size="sm">
          Back to the operator’s view
        </TextLink>
      </Group>
    </Alert>
  );
}
