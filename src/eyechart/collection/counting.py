"""How far a study is."""

from collections import Counter

from sqlalchemy import Connection, and_, func, select

from eyechart.collection.model import Progress, Study
from eyechart.collection.rows import by_first
from eyechart.database import work

__all__ = ["progress"]


def progress(rows: Connection, study: Study) -> Progress:
    """Counts of everything in a study; items with known answers are left out."""
    item, slot, response, payment = work.ITEMS.c, work.SLOTS.c, work.RESPONSES.c, work.PAYMENTS.c
    real = and_(item.study_id == study.study_id, item.kind == "real")
    items = rows.execute(select(func.count()).select_from(work.ITEMS).where(real)).scalar_one()
    counted = select(slot.state, func.count()).join_from(work.SLOTS, work.ITEMS).where(real).group_by(slot.state)
    slots = by_first(rows, counted)
    open_items = (
        select(func.count(slot.item_id.distinct()))
        .join_from(work.SLOTS, work.ITEMS)
        .where(real, slot.state.in_(["free", "leased", "waiting"]))
    )
    mine = response.study_id == study.study_id
    by_state = select(response.state, func.count()).where(mine).group_by(response.state)
    states = by_first(rows, by_state)
    totals = rows.execute(
        select(
            func.count(response.worker_id.distinct()), func.min(response.submitted), func.max(response.submitted)
        ).where(mine)
    ).one()
    pay = select(func.coalesce(func.sum(payment.millionths), 0)).where(
        payment.study_id == study.study_id, payment.state != "withheld"
    )
    flagged = select(response.flags).where(mine, func.length(response.flags) > len("[]"))
    return Progress(
        items=items,
        wanted=sum(count for state, count in slots.items() if state != "rejected"),
        done=slots.get("done", 0),
        held=slots.get("leased", 0),
        late=states.get("late", 0),
        rejected=states.get("rejected", 0),
        workers=totals[0],
        finished=items - rows.execute(open_items).scalar_one(),
        first=totals[1],
        last=totals[2],
        millionths=int(rows.execute(pay).scalar_one()),
        currency=study.settings.currency,
        flags=dict(Counter(flag for flags in rows.execute(flagged).scalars() for flag in flags)),
    )
