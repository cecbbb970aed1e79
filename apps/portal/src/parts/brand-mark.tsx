import type { ShownBrand } from '../api/shapes.js';
import { t } from '../texts/texts.js';
import { textOn } from './contrast.js';

type Mark = Pick<ShownBrand, 'name' | 'logo' | 'colour'>;

/**
 * Logo and name of a partner on its colour, the text black or white, whichever can be read. The logo stands on white,
 * for which most are drawn. Nothing for a brand without both.
 */
export function BrandMark({ brand: { name, logo, colour } }: { brand: Mark }) {
  if (name === null && logo === null) return null;
  return (
    <span
      className="portal-brand"
      style={colour === null ? undefined : { backgroundColor: colour, color: textOn(colour) }}
    >
      {logo !== null && (
        // A browser runs no script of an image, and loads nothing for it.
        <img src={`data:${logo.type};base64,${logo.data}`} alt={name === null ? t('page.providerLogo') : ''} />
      )}
      {name !== null && <span className="portal-brand-name">{name}</span>}
    </span>
  );
}
