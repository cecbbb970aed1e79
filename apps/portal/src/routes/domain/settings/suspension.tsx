import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nameableCauses } from '../../../api/caller.js';
import { useChange } from '../../../api/change.js';
import { activateDomain, suspendDomain } from '../../../api/domains.js';
import { outboundQuery } from '../../../api/outbound.js';
import type { Domain, SuspensionCause } from '../../../api/shapes.js';
import { LiftCause } from '../../../parts/mail-now/lift-cause.js';
import { offerUndo } from '../../../parts/offer-undo.js';
import { Section } from '../../../parts/page.js';
import { sayItIsSaved } from '../../../parts/settings-form.js';
import { ChangeMessage, MessageField } from '../../../parts/stop-message.js';
import { causesFor } from '../../../parts/suspension-causes.js';
import { t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';

/**
 * Stops and starts the mail of a domain, by its causes: each is set and lifted alone. Nothing is lost, so one click is
 * enough, and what it did can be undone.
 */
export function Suspension({ domain }: { domain: Domain }) {
  const { name, status, suspension_causes: causes } = domain;
  const { caller, may } = useView();
  const told = useTold(domain);
  const say = useChange(suspendDomain(name), { onDone: sayItIsSaved });
  const maySuspend = may('putDomainsDomainNameSuspend');
  const settable = maySuspend ? nameableCauses(caller).filter((cause) => !causes.includes(cause)) : [];
  return (
    <Section title={t(status === 'suspended' ? 'settings.suspended' : 'settings.suspend')}>
      <Stack gap="sm">
        <Text size="sm">{t(status === 'suspended' ? 'settings.isStopped' : 'settings.stops')}</Text>
        {causes.map((cause) => {
          const message = told.messageOf(cause);
          return (
            <Stack key={cause} gap={4}>
              <Group justify="space-between">
                <Text size="sm">
                  {causesFor(caller, [cause]).length === 0
                    ? `${t('mail.isSuspended')}.`
                    : t('settings.suspendedCause', { cause: t(`cause.${cause}`) })}
                </Text>
                {told.isLiftable(cause) && <LiftCause domain={name} cause={cause} message={message} />}
              </Group>
              {maySuspend && caller.kind === 'master' && (
                <ChangeMessage
                  key={message}
                  message={message ?? ''}
                  isSaving={say.isPending}
                  onSave={(changed) => say.mutate({ cause, message: changed })}
                />
              )}
            </Stack>
          );
        })}
        {settable.length > 0 && <SetCause domain={name} causes={settable} />}
      </Stack>
    </Section>
  );
}

/** Who has one cause to set does not choose. */
function SetCause({ domain, causes }: { domain: string; causes: SuspensionCause[] }) {
  const { caller } = useView();
  const [chosen, setChosen] = useState<SuspensionCause | null>(null);
  const [message, setMessage] = useState('');
  const activate = useChange(activateDomain(domain));
  // When there was one cause to set, this is gone before the service has answered.
  const suspend = useChange(suspendDomain(domain), {
    onDone: (_result, { cause }) => {
      setMessage('');
      offerUndo(t('settings.isSuspended', { name: domain }), () => activate.mutateAsync(cause));
    },
  });
  const cause = causes.find((each) => each === chosen) ?? causes[0];
  if (cause === undefined) return null;
  return (
    <Stack gap="xs">
      {caller.kind === 'master' && <MessageField value={message} onChange={setMessage} />}
      <Group align="flex-end" gap="xs">
        {causes.length > 1 && (
          <Select label={t('settings.cause')} data={causes} value={cause} onChange={setChosen} allowDeselect={false} />
        )}
        <Button
          variant="default"
          loading={suspend.isPending}
          onClick={() => suspend.mutate({ cause, ...(message.trim() === '' ? {} : { message: message.trim() }) })}
        >
          {t('settings.suspend')}
        </Button>
      </Group>
    </Stack>
  );
}

interface Told {
  /** What the API calls liftable. Who may not read the verdict lifts the causes that it may name. */
  isLiftable: (cause: SuspensionCause) => boolean;
  /** Null when the operator said nothing, and while it is not known. */
  messageOf: (cause: SuspensionCause) => string | null;
}

/** What the verdict says of the domain's own causes. */
function useTold({ name, suspension_causes }: Domain): Told {
  const { caller, may } = useView();
  const mayActivate = may('putDomainsDomainNameActivate');
  const readsVerdict = caller.may.includes('getDomainsDomainNameOutbound');
  const enabled = mayActivate && readsVerdict && suspension_causes.length > 0;
  const { data } = useQuery({ ...outboundQuery(name), enabled });
  const find = (cause: SuspensionCause) =>
    data?.verdict.causes.find((each) => each.of === 'domain' && each.cause === cause);
  return {
    isLiftable: (cause) => {
      if (!mayActivate) return false;
      return readsVerdict ? find(cause)?.liftable === true : nameableCauses(caller).includes(cause);
    },
    messageOf: (cause) => find(cause)?.message ?? null,
  };
}
