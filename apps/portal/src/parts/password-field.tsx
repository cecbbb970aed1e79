import { Button, Group, PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { t } from '../texts/texts.js';
import { CopyButton } from './copy-button.js';
import type { FormFields } from './form-problems.js';
import { newPassword } from './new-password.js';

interface PasswordForm extends FormFields<'password'> {
  setFieldValue: (field: 'password', password: string) => void;
}

/** A password to set: typed, or generated, shown and copied. The form has it as `password`. */
export function PasswordField({ form }: { form: PasswordForm }) {
  const [isShown, shown] = useDisclosure(false);
  const input = form.getInputProps('password') as PasswordInputProps;
  const generate = () => {
    form.setFieldValue('password', newPassword());
    shown.open();
  };
  return (
    <Group align="flex-end" gap="xs" wrap="wrap">
      <PasswordInput
        flex="1 1 220px"
        label={t('mailbox.password')}
        description={t('mailbox.passwordWhat')}
        autoComplete="new-password"
        spellCheck={false}
        visible={isShown}
        onVisibilityChange={shown.toggle}
        visibilityToggleFocusable
        visibilityToggleButtonProps={{ 'aria-label': t('mailbox.showPassword') }}
        {...input}
        // Mantine marks only its other inputs.
        aria-invalid={Boolean(input.error)}
      />
      <Button variant="default" onClick={generate}>
        {t('mailbox.generate')}
      </Button>
      {input.value !== '' && <CopyButton value={String(input.value)} label={t('page.copy')} />}
    </Group>
  );
}
