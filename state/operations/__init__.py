"""Operations: small forms with a side effect behind a confirmation. Pure; what they write is kept by `state.stores.ledger`."""
