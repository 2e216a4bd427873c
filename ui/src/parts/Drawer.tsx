import * as Ariakit from '@ariakit/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

interface Props { title: string; onClose: () => void; subtitle?: ReactNode; actions?: ReactNode; wide?: boolean; children: ReactNode }

/** Details over the list they belong to. Focus is kept inside; Escape and Back close it. */
export function Drawer({ title, onClose, subtitle, actions, wide = false, children }: Props) {
  return (
    <Ariakit.Dialog open onClose={onClose} preventBodyScroll={false} unmountOnHide className={wide ? 'drawer wide' : 'drawer'} backdrop={<div className="backdrop" />}>
      <header className="drawer-head">
        <div className="grow">
          <Ariakit.DialogHeading render={<h2 title={title} />}>{title}</Ariakit.DialogHeading>
          {subtitle && <div className="faint clip">{subtitle}</div>}
        </div>
        {actions}
        <Ariakit.DialogDismiss className="icon" aria-label="Close"><X size={18} aria-hidden /></Ariakit.DialogDismiss>
      </header>
      <div className="drawer-body">{children}</div>
    </Ariakit.Dialog>
  );
}
