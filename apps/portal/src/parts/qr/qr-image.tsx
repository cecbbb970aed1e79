import { qrCodeOf } from './qr-code-of.js';

export interface QrImageProps {
  text: string;
  /** Says what the code contains, for who does not see it. */
  alt: string;
}

export function QrImage({ text, alt }: QrImageProps) {
  return <img src={qrCodeOf(text)} alt={alt} className="portal-qr" />;
}
