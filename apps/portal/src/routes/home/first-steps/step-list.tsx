import { Button, Group, Stack, Text } from '@mantine/core';
import { ArrowRightIcon } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { presentStep } from '../../../api/first-steps.js';
import type { FirstSteps, Operation } from '../../../api/shapes.js';
import { loadAgain } from '../../../load-again.js';
import { LinkButton, TextLink } from '../../../parts/links.js';
import { Section } from '../../../parts/page.js';
import { StatusMark } from '../../../parts/status-mark.js';
import { namedInText } from '../../../parts/unicode-name.js';
import { loadLaterTexts } from '../../../texts/speak.js';
import { useView } from '../../frame/view.js';

type Step = FirstSteps['steps'][number]['step'];

const loadSending = async () => (await Promise.all([import('./send-first.js'), loadLaterTexts()]))[0];
const SendFirst = lazy(async () => ({ default: (await loadAgain(loadSending)).SendFirst }));

const TITLES: Record<Step, string> = {
  partner: 'Add a partner',
  domain: 'Add a domain',
  dns: 'Publish its DNS records',
  mailbox: 'Add a mailbox',
  message: 'Send the first message',
};

/** Whoever may do none of these has no buttons. The records are published elsewhere, by who manages the domain. */
const NEEDED: Record<Step, Operation> = {
  partner: 'postApiKeys',
  domain: 'postDomains',
  dns: 'postUsers',
  mailbox: 'postUsers',
  message: 'postUsers',
};

interface StepListProps {
  found: FirstSteps;
  onHide: () => void;
}

/** The steps in order: what is done, what is to be done now, and what comes later. */
export function StepList({ found, onHide }: StepListProps) {
  const present = presentStep(found);
  const { may } = useView();
  return (
    <Section
      title="First steps"
      actions={
        present !== null && (
          <Button variant="subtle" size="compact-sm" onClick={onHide} aria-label="Hide the first steps">
            Hide
          </Button>
        )
      }
    >
      {/* There before its text, so that screen readers say it. */}
      <div role="status">
        {present === null && <StatusMark mark="good">Your first message was counted.</StatusMark>}
      </div>
      {present !== null && (
        <Stack component="ol" aria-label="First steps" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
          {found.steps.map(({ step, done }) => (
            <li key={step} aria-current={step === present ? 'step' : undefined}>
              {done && <StatusMark mark="good">{`Done: ${doneText(step, found)}`}</StatusMark>}
              {step === present && <Present step={step} found={found} mayDo={may(NEEDED[step])} />}
              {!done && step !== present && (
                <Text component="div" c="dimmed">
                  <StatusMark mark="none">{TITLES[step]}</StatusMark>
                </Text>
              )}
            </li>
          ))}
        </Stack>
      )}
    </Section>
  );
}

/** The step that is open, with one button. */
function Present({ step, found: { domain, mailbox }, mayDo }: { step: Step; found: FirstSteps; mayDo: boolean }) {
  return (
    <Stack gap="xs">
      <Group gap={6} wrap="nowrap">
        <ArrowRightIcon size={16} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm" fw={600}>
          {TITLES[step]}
        </Text>
      </Group>
      <Stack gap="xs" pl={22}>
        {step === 'partner' && (
          <Told button={mayDo && <LinkButton to="/operator/add-partner">Add partner</LinkButton>}>
            A partner is whoever gets domains from you. It enters with its own key.
            {mayDo && (
              <>
                {' For domains of your own you need none: '}
                <TextLink to="/domains/add" inherit>
                  begin with a domain
                </TextLink>
                .
              </>
            )}
          </Told>
        )}
        {step === 'domain' && (
          <Told button={mayDo && <LinkButton to="/domains/add">Add a domain</LinkButton>}>
            The next page shows the DNS records to publish.
          </Told>
        )}
        {step === 'dns' && domain !== null && (
          <Told
            button={
              mayDo && (
                <LinkButton to="/domains/$domain/dns" params={{ domain }}>
                  Show the DNS records
                </LinkButton>
              )
            }
          >
            {`Whoever keeps the DNS of ${namedInText(domain)} publishes them. It turns verified by itself when they are found.`}
          </Told>
        )}
        {step === 'mailbox' && domain !== null && (
          <Told
            button={
              mayDo && (
                <LinkButton to="/domains/$domain/mailboxes" params={{ domain }}>
                  Add a mailbox
                </LinkButton>
              )
            }
          >
            {`Mail for an address of ${namedInText(domain)} arrives in it, and its user sends with it.`}
          </Told>
        )}
        {step === 'message' && mailbox !== null && (
          <Suspense>
            <SendFirst email={mailbox} />
          </Suspense>
        )}
      </Stack>
    </Stack>
  );
}

function Told({ button, children }: { button: ReactNode; children: ReactNode }) {
  return (
    <>
      <Text size="sm">{children}</Text>
      <Group>{button}</Group>
    </>
  );
}

function doneText(step: Step, { domain, mailbox }: FirstSteps): string {
  if (step === 'partner') return 'a partner is added';
  if (step === 'mailbox') return `${namedInText(mailbox ?? '')} is added`;
  return `${namedInText(domain ?? '')} is ${step === 'dns' ? 'verified' : 'added'}`;
}
