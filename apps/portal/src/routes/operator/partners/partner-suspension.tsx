import { Button, Group, Radio, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/change.js';
import { activatePartner, type PartnerSuspension as Cause, suspendPartner } from '../../../api/partners.js';
import type { Partner } from '../../../api/shapes.js';
import { offerUndo } from '../../../parts/offer-undo.js';
import { Section } from '../../../parts/page.js';
import { sayItIsSaved } from '../../../parts/settings-form.js';
import { ChangeMessage, MessageField } from '../../../parts/stop-message.js';
import { suspensionCauses } from '../../../parts/suspension-causes.js';
import { useView } from '../../frame/view.js';
import { STAGES } from './partner-status.js';

const CAUSES: Cause['cause'][] = ['operator', 'billing', 'abuse'];

/**
 * Stops and starts a partner, by its causes: each is set and lifted alone. Nothing is lost, so one click is enough, and
 * what it did can be undone.
 */
export function PartnerSuspension({ partner: { partner_ref: ref, suspension_causes } }: { partner: Partner }) {
  const [stage, setStage] = useState<Cause['stage']>('all');
  const [chosen, setChosen] = useState<Cause['cause']>('operator');
  const [message, setMessage] = useState('');
  const { caller, may } = useView();
  const activate = useChange(activatePartner(ref));
  const suspend = useChange(suspendPartner(ref));
  const say = useChange(suspendPartner(ref), { onDone: sayItIsSaved });
  const set = (cause: Cause) =>
    suspend.mutate(cause, {
      onSuccess: () => {
        setMessage('');
        offerUndo(`${ref} is suspended.`, () => activate.mutateAsync(cause.cause));
      },
    });
  // Master alone may say something, and a request of others that does is refused.
  const again = ({ message, ...cause }: Cause): Cause =>
    caller.kind === 'master' && message !== null ? { ...cause, message } : cause;
  const lift = (cause: Cause) =>
    activate.mutate(cause.cause, {
      onSuccess: () =>
        offerUndo(`${ref}: the cause ${cause.cause} is lifted.`, () => suspend.mutateAsync(again(cause))),
    });
  const settable = CAUSES.filter((each) => suspension_causes.every(({ cause }) => cause !== each));
  const cause = settable.find((each) => each === chosen) ?? settable[0];
  return (
    <Section title="Suspension">
      <Stack gap="sm">
        {suspension_causes.map((each) => (
          <Stack key={each.cause} gap={4}>
            <Group justify="space-between">
              <Text size="sm">
                {STAGES[each.stage].word} {suspensionCauses([each.cause])}. {STAGES[each.stage].note}.
              </Text>
              {may('putPartnersPartnerRefActivate') && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Activate, lifting the cause ${each.cause}`}
                  loading={activate.isPending && activate.variables === each.cause}
                  onClick={() => lift(each)}
                >
                  Activate
                </Button>
              )}
            </Group>
            {may('putPartnersPartnerRefSuspend') && caller.kind === 'master' && (
              <ChangeMessage
                key={each.message}
                message={each.message ?? ''}
                isSaving={say.isPending}
                onSave={(message) => say.mutate({ ...each, message })}
              />
            )}
          </Stack>
        ))}
        {cause !== undefined && (
          <>
            <Select
              label="Cause"
              data={settable}
              value={cause}
              onChange={(value) => setChosen(value ?? cause)}
              allowDeselect={false}
            />
            <Radio.Group label="What a suspension stops" value={stage} onChange={(value) => setStage(value)}>
              <Stack gap="xs" mt="xs">
                <Radio value="changes" label="Changes and outgoing mail" description={STAGES.changes.note} />
                <Radio value="all" label="Everything" description={STAGES.all.note} />
              </Stack>
            </Radio.Group>
            {caller.kind === 'master' && <MessageField value={message} onChange={setMessage} />}
            <Group>
              <Button
                variant="default"
                loading={suspend.isPending}
                onClick={() => set({ cause, stage, ...(message.trim() === '' ? {} : { message: message.trim() }) })}
              >
                Suspend
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Section>
  );
}
