/*
 * Long work in turns, as that of jobs: a few work at a time. A free turn goes to the user who has the fewest, and of those to the one who
 * waits longest, so that short work of one user does not wait for all the long work of others.
 */

type Waiting = { user: number; begin: () => void }

/** `most` turns at a time, and `mostOfUser` of them for one user. */
export class Turns {
  readonly #most: number
  readonly #mostOfUser: number
  #taken: number[] = []
  #waiting: Waiting[] = []

  constructor({ most, mostOfUser }: { most: number; mostOfUser: number }) {
    this.#most = most
    this.#mostOfUser = mostOfUser
  }

  /** Runs the work in a turn of this user. */
  async run<T>(user: number, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ user, begin })
      this.#next()
    })
    try {
      return await work()
    } finally {
      this.#taken.splice(this.#taken.indexOf(user), 1)
      this.#next()
    }
  }

  #next(): void {
    const takenBy = ({ user }: Waiting) => this.#taken.filter((taken) => taken === user).length
    while (this.#taken.length < this.#most) {
      const [first] = this.#waiting
        .filter((waiting) => takenBy(waiting) < this.#mostOfUser)
        .toSorted((one, other) => takenBy(one) - takenBy(other))
      if (!first) return
      this.#waiting.splice(this.#waiting.indexOf(first), 1)
      this.#taken.push(first.user)
      first.begin()
    }
  }
}
