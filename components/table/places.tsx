import { createContext, memo, type ReactNode, use } from 'react'

/* What stands in a table comes by context, so that the table itself is not rendered again when only that changes. */

/** The parts of the table's frame that are rendered by the screen. */
export type TableParts = Partial<
  Record<'header' | 'filter' | 'pagination' | 'preferences' | 'footer' | 'empty', ReactNode>
>

export const PartsContext = createContext<TableParts>({})

const Part = ({ name }: { name: keyof TableParts }) => use(PartsContext)[name]

/** Elements that stay the same: each shows what its part is now. */
export const parts = {
  header: <Part name="header" />,
  filter: <Part name="filter" />,
  pagination: <Part name="pagination" />,
  preferences: <Part name="preferences" />,
  footer: <Part name="footer" />,
  empty: <Part name="empty" />,
} as const satisfies TableParts

/** What a column shows for the row at this position of the page. */
export type CellAt = (column: string, index: number) => ReactNode

export const CellsContext = createContext<CellAt>(() => null)

type CellProps = { column: string; index: number }

export const Cell = memo(({ column, index }: CellProps) => use(CellsContext)(column, index))
