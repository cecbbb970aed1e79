import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/change.js';
import { changeOutbound } from '../../../api/outbound.js';
import type { Outbound } from '../../../api/shapes.js';
import { offerUndo } from '../../../parts/offer-undo.js';
import { Section } from '../../../parts/page.js';
import { sayItIsSaved } from '../../../parts/settings-form.js';
import { ChangeMessage, MessageField } from '../../../parts/stop-message.js';
import { t } from '../../../texts/texts.js';

/** Master blocks outgoing mail, and says why; the card of the stop lets it send again. */
export function BlockSending({ outbound }: { outbound: Outbound }) {
  const { name, outbound_status, verdict } = outbound;
  const say = useChange(changeOutbound(name), { onDone: sayItIsSaved });
  if (outbound_status === 'active') return <Block name={name} />;
  const told = verdict.causes.find(({ of }) => of === 'domain');
  // Behind a suspension the verdict has no cause of the block, and so not what was said about it.
  if (verdict.reason !== 'outbound_blocked' || told === undefined) return null;
  const message = told.message ?? '';
  return (
    <Section title={t('sending.ofBlock')}>
      <ChangeMessage
        key={message}
        message={message}
        isSaving={say.isPending}
        onSave={(changed) => say.mutate({ body: { message: changed } })}
      />
    </Section>
  );
}

function Block({ name }: { name: string }) {
  const [message, setMessage] = useState('');
  const unblock = useChange(changeOutbound(name));
  const block = useChange(changeOutbound(name), {
    onDone: () =>
      offerUndo(t('sending.blocked', { name }), () => unblock.mutateAsync({ body: { outbound_status: 'active' } })),
  });
  const wanted = message.trim();
  return (
    <Section title={t('sending.block')}>
      <Stack gap="sm">
        <Text size="sm">{t('sending.blockWhat')}</Text>
        <MessageField value={message} onChange={setMessage} />
        <Group>
          <Button
            variant="default"
            loading={block.isPending}
            onClick={() =>
              block.mutate({ body: { outbound_status: 'blocked', ...(wanted === '' ? {} : { message: wanted }) } })
            }
          >
            {t('sending.block')}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
