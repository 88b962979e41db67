import ButtonDropdown, { type ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown'
import { useNavigate } from 'react-router'

export type RowAction = {
  id: string
  text: string
  /** Why it cannot be done now. */
  refused?: string | undefined
} & ({ to: string } | { onClick: () => void })

const itemOf = (action: RowAction): ButtonDropdownProps.Item => ({
  id: action.id,
  text: action.text,
  ...('to' in action && { href: action.to }),
  ...(action.refused !== undefined && { disabled: true, disabledReason: action.refused }),
})

/** What can be done with one row. */
export function RowActions({ name, actions }: { name: string; actions: readonly RowAction[] }) {
  const navigate = useNavigate()
  if (actions.length === 0) return null
  return (
    <ButtonDropdown
      variant="inline-icon"
      expandToViewport
      ariaLabel={`Actions for ${name}`}
      items={actions.map(itemOf)}
      onItemFollow={(event) => {
        event.preventDefault()
        if (event.detail.href) void navigate(event.detail.href)
      }}
      onItemClick={({ detail }) => {
        const action = actions.find(({ id }) => id === detail.id)
        if (action && 'onClick' in action) action.onClick()
      }}
    />
  )
}
