import Link from '@cloudscape-design/components/link'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'

type OpenLinkProps = { search: string; onOpen: () => void; children: ReactNode }

/** Opens something beside the list, at the same place of the screen. */
export function OpenLink({ search, onOpen, children }: OpenLinkProps) {
  const navigate = useNavigate()
  return (
    <Link
      href={search}
      onFollow={(event) => {
        event.preventDefault()
        onOpen()
        void navigate({ search }, { preventScrollReset: true })
      }}
    >
      {children}
    </Link>
  )
}
