import Button from '@cloudscape-design/components/button'
import { useFollow } from '#components/layout/app-link'

export type RowAction = {
  text: string
  icon: 'edit' | 'remove'
  /** Why it cannot be done now. */
  refused?: string | undefined
} & ({ to: string } | { onClick: () => void })

/** What can be done with one row. */
export function RowActions({ name, actions }: { name: string; actions: readonly RowAction[] }) {
  const follow = useFollow()
  return (
    <div style={{ display: 'flex', gap: 16 }}>
      {actions.map((action) => (
        <Button
          key={action.text}
          variant="inline-icon"
          iconName={action.icon}
          ariaLabel={`${action.text} ${name}`}
          {...('to' in action ? { href: action.to, onFollow: follow } : { onClick: action.onClick })}
          {...(action.refused !== undefined && { disabled: true, disabledReason: action.refused })}
        />
      ))}
    </div>
  )
}
