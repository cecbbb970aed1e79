import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useChange } from '../../../api/change.js';
import { sayFrontHosts } from '../../../api/front-hosts.js';
import type { DnsCheck } from '../../../api/shapes.js';
import { Time } from '../../../parts/time.js';
import { listOf, rich, t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';

interface FrontHostsProps {
  name: string;
  check: DnsCheck;
}

/** What the holder said of hosts in front of the service, and the question whether those that come first do. */
export function FrontHosts({ name, check: { front_hosts, checks } }: FrontHostsProps) {
  const { may } = useView();
  if (front_hosts === undefined) return null;
  const { hosts, said_at, first } = front_hosts;
  const mayChange = may('putDomainsDomainNameFrontHosts');
  const asks = mayChange && first.length > 0;
  const isOfMailboxes = checks.some((check) => [check, ...check.warnings].some(({ code }) => code === 'mx_mailboxes'));
  if (said_at === null && !asks) return null;
  return (
    <Stack gap={6} component="section" aria-label={t('dns.front')}>
      {said_at !== null && <Said name={name} hosts={hosts} saidAt={said_at} mayChange={mayChange} />}
      {asks && <Ask name={name} first={first} isOfMailboxes={isOfMailboxes} />}
    </Stack>
  );
}

interface SaidProps {
  name: string;
  hosts: string[];
  saidAt: string;
  mayChange: boolean;
}

function Said({ name, hosts, saidAt, mayChange }: SaidProps) {
  const withdraw = useChange(sayFrontHosts(name));
  return (
    <Group gap="xs">
      <Text size="sm">{rich('dns.frontSaid', { hosts: listOf(hosts), time: () => <Time at={saidAt} /> })}</Text>
      {mayChange && (
        <Button size="compact-sm" variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate([])}>
          {t('dns.frontWithdraw')}
        </Button>
      )}
    </Group>
  );
}

interface AskProps {
  name: string;
  first: string[];
  isOfMailboxes: boolean;
}

/** One click is enough, because it can be withdrawn; of mailboxes the reader is asked whether mail is passed on. */
function Ask({ name, first, isOfMailboxes }: AskProps) {
  const [isOpen, dialog] = useDisclosure(false);
  const say = useChange(sayFrontHosts(name), { onDone: dialog.close });
  return (
    <>
      <Text size="sm">{t('dns.frontWhat')}</Text>
      <Group>
        <Button
          size="xs"
          variant="default"
          loading={say.isPending}
          onClick={isOfMailboxes ? dialog.open : () => say.mutate(first)}
        >
          {t('dns.frontSay')}
        </Button>
      </Group>
      <Modal opened={isOpen} onClose={dialog.close} title={t('dns.front')}>
        <Stack>
          <Text size="sm">{t('dns.frontMailboxes', { hosts: listOf(first) })}</Text>
          <Button loading={say.isPending} onClick={() => say.mutate(first)}>
            {t('dns.frontSay')}
          </Button>
        </Stack>
      </Modal>
    </>
  );
}
