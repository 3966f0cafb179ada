//$ build --emit=expanded
// The owner is no client, and comes behind them.
design d
device toy
kernel client[3] { source "client.cc" }
kernel server { source "server.cc" }
active table on server from client {
    handler put(key: int32, values: float[8])
    handler get(key: int32) -> float
}
