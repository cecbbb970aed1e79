import { Outlet } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useLanguage } from '../texts/texts.js';

/** Every screen, made anew when the language of the page changes. */
export function InLanguage() {
  return (
    <Fragment key={useLanguage()}>
      <Outlet />
    </Fragment>
  );
}
