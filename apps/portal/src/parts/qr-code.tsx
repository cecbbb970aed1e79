import { Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { loadAgain } from '../load-again.js';
import { t } from '../texts/texts.js';
import type { QrImageProps } from './qr/qr-image.js';
import { Loading } from './states.js';

/**
 * QR codes are a chunk of their own. The page is never loaded anew for it, because what stands beside a code may be
 * shown once.
 */
async function loadQrCode(): Promise<(props: QrImageProps) => React.ReactNode> {
  try {
    const { QrImage } = await loadAgain(
      () => import('./qr/qr-image.js'),
      () => false,
    );
    return QrImage;
  } catch {
    return () => <Text size="sm">{t('handover.qrCodeFailed')}</Text>;
  }
}

const Image = lazy(async () => ({ default: await loadQrCode() }));

/** A text as a QR code. */
export function QrCode(props: QrImageProps) {
  return (
    <Suspense fallback={<Loading />}>
      <Image {...props} />
    </Suspense>
  );
}
