import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/change.js';
import { activatePartner, suspendPartner } from '../../../api/partners.js';
import type { Partner } from '../../../api/shapes.js';
import { offerUndo } from '../../../parts/offer-undo.js';
import { Section } from '../../../parts/page.js';
import { STAGES } from './partner-status.js';

type Stage = keyof typeof STAGES;

/** Stops and starts a partner. Nothing is lost, so one click is enough. */
export function PartnerSuspension({ partner: { partner_ref: ref, suspension_causes } }: { partner: Partner }) {
  const [stage, setStage] = useState<Stage>('all');
  const activate = useChange(activatePartner(ref));
  const suspend = useChange(suspendPartner(ref), {
    onDone: () => offerUndo(`${ref} is suspended.`, () => activate.mutateAsync('operator')),
  });
  const own = suspension_causes.find(({ cause }) => cause === 'operator');
  return (
    <Section title="Suspension">
      <Stack gap="sm">
        {suspension_causes.map(({ cause, stage: of }) => (
          <Group key={cause} justify="space-between">
            <Text size="sm">
              {STAGES[of].word} by {cause}. {STAGES[of].note}.
            </Text>
            <Button
              size="xs"
              aria-label={`Activate, lifting the cause ${cause}`}
              loading={activate.isPending && activate.variables === cause}
              onClick={() => activate.mutate(cause)}
            >
              Activate
            </Button>
          </Group>
        ))}
        {own === undefined && (
          <>
            <Radio.Group label="What a suspension stops" value={stage} onChange={(value) => setStage(value)}>
              <Stack gap="xs" mt="xs">
                <Radio value="changes" label="Changes and outgoing mail" description={STAGES.changes.note} />
                <Radio value="all" label="Everything" description={STAGES.all.note} />
              </Stack>
            </Radio.Group>
            <Group>
              <Button variant="default" loading={suspend.isPending} onClick={() => suspend.mutate(stage)}>
                Suspend
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Section>
  );
}
