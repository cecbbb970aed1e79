import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type OfAnchor<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

/** Within a sentence, color alone does not tell a link from the text around it (WCAG 1.4.1). */
function TextAnchor(props: OfAnchor<AnchorProps>) {
  return <Anchor underline={props.inherit ? 'always' : 'hover'} {...props} />;
}

function ButtonAnchor(props: OfAnchor<ButtonProps>) {
  return <Button component="a" {...props} />;
}

interface MenuParts {
  label: string;
  isActive: boolean;
}

function MenuAnchor({ label, isActive, ...props }: OfAnchor<MenuParts>) {
  return (
    <a {...props} className="portal-menu-link" data-active={isActive || undefined}>
      {label}
    </a>
  );
}

/** A link to a screen that looks like text. */
export const TextLink = createLink(TextAnchor);

/** A link to a screen that looks like a button. */
export const LinkButton = createLink(ButtonAnchor);

/** A link to a screen in the menu. */
export const MenuLink = createLink(MenuAnchor);

function TabAnchor(props: ComponentPropsWithRef<'a'>) {
  return <a {...props} className="portal-tab" />;
}

/** A link to one of the screens that stand beside each other. The router marks the present one (`aria-current`). */
export const TabLink = createLink(TabAnchor);

function ChipAnchor({ isChosen, ...props }: ComponentPropsWithRef<'a'> & { isChosen: boolean }) {
  return <a {...props} className="portal-chip" aria-current={isChosen ? 'true' : undefined} />;
}

/** A link to the same screen, narrowed. The router does not know which one is chosen when each has another search. */
export const ChipLink = createLink(ChipAnchor);
