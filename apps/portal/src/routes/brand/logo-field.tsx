import { Button, FileButton, Group, Input, Stack } from '@mantine/core';
import { ImageUpIcon } from 'lucide-react';
import { useId } from 'react';
import type { Brand } from '../../api/shapes.js';

type Logo = NonNullable<Brand['logo']>;

const MAX_BYTES = 64 * 1_024;
const TYPES: Logo['type'][] = ['image/png', 'image/svg+xml'];

interface LogoFieldProps {
  /** As `dataUrlOf` writes it. */
  value: string;
  /** Why the file is not taken. */
  error?: string;
  onChange: (logo: string) => void;
  onProblem: (reason: string) => void;
}

/** Reads a logo from a file. The service checks it, and writes it anew. */
export function LogoField({ value, error, onChange, onProblem }: LogoFieldProps) {
  const id = useId();
  const read = async (file: File | null) => {
    if (file === null) return;
    const type = TYPES.find((each) => each === file.type);
    if (type === undefined) onProblem('The file must be a PNG or an SVG.');
    else if (file.size > MAX_BYTES) onProblem('The file must have at most 64 kB.');
    else onChange(dataUrlOf({ type, data: await base64Of(file) }));
  };
  return (
    <Input.Wrapper
      label="Logo"
      labelElement="div"
      labelProps={{ id }}
      description="PNG of at most 1,024 pixels a side, or SVG of shapes; at most 64 kB"
      error={error}
    >
      <Stack mt="xs" role="group" aria-labelledby={id}>
        <Group gap="xs">
          <FileButton accept={TYPES.join(',')} onChange={(file) => void read(file)}>
            {(props) => (
              <Button size="xs" variant="default" leftSection={<ImageUpIcon size={16} aria-hidden />} {...props}>
                Choose a logo
              </Button>
            )}
          </FileButton>
          {value !== '' && (
            <Button size="xs" variant="default" onClick={() => onChange('')}>
              Without a logo
            </Button>
          )}
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}

/** A logo as the text of a field; empty without one. */
export function dataUrlOf(logo: Logo | null): string {
  return logo === null ? '' : `data:${logo.type};base64,${logo.data}`;
}

export function logoOf(dataUrl: string): Logo | null {
  const [, type, data = ''] = /^data:([^;]+);base64,(.*)$/.exec(dataUrl) ?? [];
  const known = TYPES.find((each) => each === type);
  return known === undefined ? null : { type: known, data };
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
