import * as Dropdown from '@radix-ui/react-dropdown-menu';
import type { ReactNode } from 'react';

// Not modal: that would put a style element into the page, which its policy forbids.
export function Menu(props: { trigger: ReactNode; children: ReactNode; align?: 'start' | 'end' }) {
  return (
    <Dropdown.Root modal={false}>
      <Dropdown.Trigger asChild>{props.trigger}</Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content className="menu" align={props.align ?? 'end'} sideOffset={6} collisionPadding={8}>
          {props.children}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}

export function MenuItem(props: { onSelect: () => void; danger?: boolean; disabled?: boolean; children: ReactNode }) {
  return (
    <Dropdown.Item
      className={props.danger === true ? 'menu-item danger' : 'menu-item'}
      disabled={props.disabled}
      onSelect={props.onSelect}
    >
      {props.children}
    </Dropdown.Item>
  );
}

export const MenuLine = () => <Dropdown.Separator className="menu-line" />;
export const MenuHead = (props: { children: ReactNode }) => (
  <Dropdown.Label className="menu-head">{props.children}</Dropdown.Label>
);
