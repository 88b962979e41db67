import type { ReactNode } from 'react'
import { Failure } from '#components/base/forms/failure'
import { Card, Placeholder } from '#components/kit/layout'
import type { Collection } from '#lib/ground/http/view'

type Read<Item> = {
  data: Collection<Item> | undefined
  error: Error | null
  refetch: () => Promise<unknown>
}

type ListCardProps<Item> = {
  list: Read<Item>
  title: string
  about?: string
  actions?: ReactNode
  counter?: string
  footer?: ReactNode
  loading: { label: string; height: number }
  /** Shown where the list is empty; without it the children show the empty list. */
  none?: string
  children: (items: readonly Item[]) => ReactNode
}

/** A card of the home screen over the first items of a list. */
export function ListCard<Item>({ list, loading, none, children, ...card }: ListCardProps<Item>) {
  const { data, error, refetch } = list
  return (
    <Card {...card}>
      {data ? (
        data.totalSize === 0 && none ? (
          <div className="quiet">{none}</div>
        ) : (
          children(data.collection)
        )
      ) : error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <Loading {...loading} />
      )}
    </Card>
  )
}

export const Loading = ({ label, height }: { label: string; height: number }) => (
  <div role="status" aria-label={label}>
    <Placeholder height={height} />
  </div>
)
